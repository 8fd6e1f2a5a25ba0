/* grammar.y - what a PTX module looks like.  Actions only call the builders of parse_*.c; a
 * nonterminal of type uint32_t is how many elements it has pushed. */
%include {
#define NDEBUG /* no tracing: it would need a global */
#define YYNOERRORRECOVERY
#include "ptx/parse_priv.h"
}

%name grammar
%token_prefix TOKEN_
%token_type {struct token}
%default_type {uint32_t}
%extra_argument {struct parser *p}
%stack_size 400
%start_symbol module

%syntax_error {
    bool is_expected[YYNTOKEN];
    for (int i = 0; i < YYNTOKEN; i++)
        is_expected[i] = yy_find_shift_action((YYCODETYPE)i, yypParser->yytos->stateno) !=
                         YY_ERROR_ACTION;
    lexer_unexpected(p, yymajor, &TOKEN, is_expected, YYNTOKEN);
}

%stack_overflow {
    parse_fail(p, p->line, "braces or parentheses are nested too deeply");
}

%right QUESTION COLON.
%left EITHER.
%left BOTH.
%left BAR.
%left CARET.
%left AMPERSAND.
%left EQ NE.
%left LT LE GT GE.
%left SHL SHR.
%left PLUS MINUS.
%left STAR SLASH PERCENT.
%right BANG TILDE.

/* --- the module --- */

module ::= items.
items ::= .
items ::= items item.

item ::= VERSION FLOAT(N).              { parse_version(p, &N); }
item ::= TARGET targets.
item ::= ADDRESS_SIZE INT(N).           { parse_address_size(p, &N); }
item ::= ALIAS WORD COMMA WORD SEMICOLON.
item ::= file.
item ::= pragma.
item ::= declaration.
item ::= function.
item ::= SEMICOLON.

targets ::= WORD(W).                    { parse_target(p, &W); }
targets ::= targets COMMA WORD(W).      { parse_target(p, &W); }

file ::= FILE INT(I) STRING(S).         { parse_file(p, &I, &S); }
file ::= FILE INT(I) STRING(S) COMMA INT COMMA INT. { parse_file(p, &I, &S); }

pragma ::= PRAGMA strings SEMICOLON.
strings ::= STRING.
strings ::= strings COMMA STRING.

/* --- variables --- */

links(A) ::= .                          { A = 0; }
links(A) ::= links(B) LINK(L).          { A = B | (uint32_t)L.code; }

declaration ::= declared attributes declarators(N) SEMICOLON. { parse_decl_end(p, N); }
declared ::= links(L) SPACE(S).         { parse_decl_begin(p, L, &S); }

attributes ::= .
attributes ::= attributes attribute.
attribute ::= ALIGN INT(N).             { parse_decl_align(p, &N); }
attribute ::= TYPE(T).                  { parse_decl_type(p, &T); }
attribute ::= VECTOR(V).                { p->var.vec = (uint8_t)V.code; }
attribute ::= OPAQUE.                   { parse_decl_opaque(p); }
attribute ::= PTR.                      { p->is_pointee = true; }
attribute ::= SPACE.

declarators(A) ::= declarator.          { A = 1; }
declarators(A) ::= declarators(B) COMMA declarator. { A = B + 1; }
declarator ::= declared_name dims initialiser. { parse_decl_end_name(p); }
declared_name ::= WORD(W).              { parse_decl_name(p, &W); }
declared_name ::= SINK(W).              { parse_decl_name(p, &W); }
declared_name ::= WORD(W) LT INT(N) GT. { parse_decl_name(p, &W); parse_decl_range(p, &N); }

dims ::= .
dims ::= dims LBRACKET(L) RBRACKET.     { parse_decl_dim(p, L.line, NULL); }
dims ::= dims LBRACKET(L) constant(C) RBRACKET. { parse_decl_dim(p, L.line, &C); }

initialiser ::= .
initialiser ::= ASSIGN value.
value ::= constant(C).                  { parse_decl_value(p, C); }
value ::= WORD ASSIGN constant.         /* a field of a sampler */
value ::= value_open value_close.
value ::= value_open values value_close.
value_open ::= LBRACE(L).               { parse_decl_open(p, L.line); }
value_close ::= RBRACE(R).              { parse_decl_close(p, R.line); }
values ::= value.
values ::= values COMMA value.

%type constant {struct constant}
constant(A) ::= INT(T).                 { A = parse_const_int(p, &T); }
constant(A) ::= FLOAT(T).               { A = parse_const_float(p, &T); }
constant(A) ::= WORD(T).                { A = parse_const_symbol(&T); }
constant(A) ::= WORD(T) LPAREN constant(B) RPAREN. { A = parse_const_generic(p, &T, B); }
constant(A) ::= INT(T) LPAREN constant(B) RPAREN. { A = parse_const_mask(p, &T, B); }
constant(A) ::= LPAREN constant(B) RPAREN. { A = B; }
constant(A) ::= LPAREN TYPE(T) RPAREN constant(B). [TILDE] { A = parse_const_cast(p, &T, B); }
constant(A) ::= PLUS constant(B). [TILDE] { A = B; }
constant(A) ::= MINUS(T) constant(B). [TILDE] { A = parse_const_unary(p, T.line, CONST_NEG, B); }
constant(A) ::= TILDE|BANG(T) constant(B). [TILDE] {
    A = parse_const_unary(p, T.line, (enum const_op)T.code, B);
}
constant(A) ::= constant(B) EITHER(T) constant(C). {
    A = parse_const_binary(p, T.line, CONST_LOGICAL_OR, B, C);
}
constant(A) ::= constant(B) BOTH(T) constant(C). {
    A = parse_const_binary(p, T.line, CONST_LOGICAL_AND, B, C);
}
constant(A) ::= constant(B) BAR(T) constant(C). {
    A = parse_const_binary(p, T.line, CONST_OR, B, C);
}
constant(A) ::= constant(B) CARET(T) constant(C). {
    A = parse_const_binary(p, T.line, CONST_XOR, B, C);
}
constant(A) ::= constant(B) AMPERSAND(T) constant(C). {
    A = parse_const_binary(p, T.line, CONST_AND, B, C);
}
constant(A) ::= constant(B) EQ|NE(T) constant(C). {
    A = parse_const_binary(p, T.line, (enum const_op)T.code, B, C);
}
constant(A) ::= constant(B) LT|LE|GT|GE(T) constant(C). {
    A = parse_const_binary(p, T.line, (enum const_op)T.code, B, C);
}
constant(A) ::= constant(B) SHL|SHR(T) constant(C). {
    A = parse_const_binary(p, T.line, (enum const_op)T.code, B, C);
}
constant(A) ::= constant(B) PLUS|MINUS(T) constant(C). {
    A = parse_const_binary(p, T.line, (enum const_op)T.code, B, C);
}
constant(A) ::= constant(B) STAR|SLASH|PERCENT(T) constant(C). {
    A = parse_const_binary(p, T.line, (enum const_op)T.code, B, C);
}
constant(A) ::= constant(B) QUESTION(T) constant(C) COLON constant(D). {
    A = parse_const_choice(p, T.line, B, C, D);
}

/* --- functions --- */

function ::= prototype SEMICOLON.       { parse_func_end(p); }
function ::= prototype body_open statements RBRACE. { parse_func_end(p); }
body_open ::= LBRACE.                   { parse_func_open_body(p); }

prototype ::= function_kind function_results function_name function_params perfs.
function_kind ::= links(L) ENTRY.       { parse_func_begin(p, L, true); }
function_kind ::= links(L) FUNC.        { parse_func_begin(p, L, false); }
function_results ::= params(N).         { parse_func_results(p, N); }
function_name ::= WORD(W).              { parse_func_name(p, &W); }
function_params ::= params(N).          { parse_func_params(p, N); }

params(A) ::= .                         { A = 0; }
params(A) ::= LPAREN RPAREN.            { A = 0; }
params(A) ::= LPAREN param_list(N) RPAREN. { A = N; }
param_list(A) ::= param.                { A = 1; }
param_list(A) ::= param_list(B) COMMA param. { A = B + 1; }
param ::= param_space attributes declarator.
param_space ::= SPACE(S).               { parse_decl_begin(p, 0, &S); }

perfs ::= .
perfs ::= perfs pragma.
perfs ::= perfs PERF(T) numbers(N).     { parse_func_perf(p, &T, N); }
numbers(A) ::= .                        { A = 0; }
numbers(A) ::= number_list(N).          { A = N; }
number_list(A) ::= INT(T).              { A = 1; parse_func_number(p, 0, &T); }
number_list(A) ::= number_list(B) COMMA INT(T). { A = B + 1; parse_func_number(p, B, &T); }

/* --- statements --- */

statements ::= .
statements ::= statements statement.

statement ::= SEMICOLON.
statement ::= pragma.
statement ::= file.
statement ::= declaration.
statement ::= scope_open statements scope_close.
scope_open ::= LBRACE(T).               { parse_body_brace(p, STATEMENT_OPEN, T.line); }
scope_close ::= RBRACE(T).              { parse_body_brace(p, STATEMENT_CLOSE, T.line); }
statement ::= WORD(W) COLON.            { parse_body_label(p, &W); }
statement ::= WORD(W) COLON TARGETS names(N) SEMICOLON. { parse_body_targets(p, &W, N); }
statement ::= WORD(W) COLON PROTOTYPE params(R) any_name params(N) perfs SEMICOLON. {
    parse_body_prototype(p, &W, R, N);
}
any_name ::= WORD.
any_name ::= SINK.
names(A) ::= WORD(W).                   { A = 1; parse_body_target(p, &W); }
names(A) ::= names(B) COMMA WORD(W).    { A = B + 1; parse_body_target(p, &W); }

statement ::= LOC INT(F) INT(L) INT(C) loc_details. { parse_body_loc(p, &F, &L, &C); }
loc_details ::= .
loc_details ::= loc_details COMMA WORD loc_detail.
loc_detail ::= WORD.
loc_detail ::= WORD PLUS INT.
loc_detail ::= INT INT INT.

statement ::= WORD(W) SEMICOLON.        { parse_body_insn(p, (struct guard){0}, &W, 0); }
statement ::= WORD(W) operands(N) SEMICOLON. { parse_body_insn(p, (struct guard){0}, &W, N); }
statement ::= guard(G) WORD(W) SEMICOLON. { parse_body_insn(p, G, &W, 0); }
statement ::= guard(G) WORD(W) operands(N) SEMICOLON. { parse_body_insn(p, G, &W, N); }

%type guard {struct guard}
guard(A) ::= AT WORD(W).                { A = (struct guard){W.text, false}; }
guard(A) ::= AT BANG WORD(W).           { A = (struct guard){W.text, true}; }

/* --- operands --- */

operands(A) ::= operand.                { A = 1; }
operands(A) ::= operands(B) COMMA operand. { A = B + 1; }

operand ::= element.
operand ::= element BAR element.        { parse_body_group(p, OPERAND_PAIR, 2); }
operand ::= LPAREN RPAREN.              { parse_body_group(p, OPERAND_LIST, 0); }
operand ::= LPAREN scalars(N) RPAREN.   { parse_body_group(p, OPERAND_LIST, N); }
operand ::= LBRACKET scalar RBRACKET(T). { parse_body_address(p, T.line, 0); }
operand ::= LBRACKET scalar COMMA elements(N) RBRACKET(T). { parse_body_address(p, T.line, N); }

elements(A) ::= element.                { A = 1; }
elements(A) ::= elements(B) COMMA element. { A = B + 1; }
element ::= scalar.
element ::= LBRACE scalars(N) RBRACE.   { parse_body_group(p, OPERAND_VECTOR, N); }
scalars(A) ::= scalar.                  { A = 1; }
scalars(A) ::= scalars(B) COMMA scalar. { A = B + 1; }

scalar ::= WORD(W).                     { parse_body_name(p, &W, false, 0); }
scalar ::= WORD(W) sum(S).              { parse_body_name(p, &W, false, S); }
scalar ::= BANG WORD(W).                { parse_body_name(p, &W, true, 0); }
scalar ::= MINUS WORD(W).               { parse_body_name(p, &W, true, 0); }
scalar ::= SINK.                        { parse_body_sink(p); }
scalar ::= FLOAT(T).                    { parse_body_float(p, &T, false); }
scalar ::= MINUS FLOAT(T).              { parse_body_float(p, &T, true); }
scalar ::= term(T).                     { parse_body_int(p, T); }
scalar ::= term(T) sum(S).              { parse_body_int(p, T + S); }

%type sum {uint64_t}
%type term {uint64_t}
sum(A) ::= PLUS term(T).                { A = T; }
sum(A) ::= MINUS term(T).               { A = 0 - T; }
sum(A) ::= sum(B) PLUS term(T).         { A = B + T; }
sum(A) ::= sum(B) MINUS term(T).        { A = B - T; }
term(A) ::= INT(N).                     { A = parse_const_integer(p, &N); }
term(A) ::= MINUS INT(N).               { A = 0 - parse_const_integer(p, &N); }
term(A) ::= term(B) STAR INT(N).        { A = B * parse_const_integer(p, &N); }

%code {
void grammar_run(struct parser *p)
{
    yyParser g;
    grammarInit(&g);
    struct token t = {0};
    int kind;
    do {
        kind = lexer_next(p, &t);
        if (!p->has_failed)
            grammar(&g, kind, t, p);
    } while (kind != 0 && !p->has_failed);
}
}
