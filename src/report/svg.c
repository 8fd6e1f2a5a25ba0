/* svg.c - the few elements that the pictures are made of. */
#include "report/svg.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"

static bool cannot_write(const char *path, int error, struct err *e)
{
    return err_set(e, STATUS_BAD_INPUT, "%s: cannot write: %s", path, strerror(error));
}

/* A file must not replace a device or pipe of that name: those are written to directly. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static FILE *create(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !f)
        close(fd);
    return f;
}

bool svg_open(struct svg *s, const char *path, struct err *e)
{
    *s = (struct svg){.path = path, .arena = arena_new()};
    if (!is_special(path))
        s->temp = arena_printf(s->arena, "%s.%ld.part", path, (long)getpid());
    s->out = create(s->temp ? s->temp : path);
    if (!s->out) {
        cannot_write(path, errno, e);
        arena_free(s->arena);
        return false;
    }
    return true;
}

void svg_size(struct svg *s, int width, int height)
{
    fprintf(s->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"Helvetica, Arial, sans-serif\">\n",
            width / SVG_PX, height / SVG_PX, width, height);
    svg_rect(s, (const int[2]){0, 0}, (const int[2]){width, height}, 0xffffff);
}

bool svg_close(struct svg *s, struct err *e)
{
    errno = EIO; /* what a failure that left no reason of its own is reported as */
    fputs("</svg>\n", s->out);
    bool ok = !ferror(s->out);
    ok = fclose(s->out) == 0 && ok;
    if (ok && s->temp)
        ok = rename(s->temp, s->path) == 0;
    if (!ok) {
        cannot_write(s->path, errno, e);
        if (s->temp)
            unlink(s->temp);
    }
    arena_free(s->arena);
    return ok;
}

/* Bytes of the UTF-8 sequence at `text`, or 0 when it is none (a picture must stay readable). */
static int sequence(const unsigned char *text)
{
    int n = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
    if (*text > 0xf4)
        return 0;
    for (int i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static void escape_ascii(FILE *out, char c)
{
    if (c == '<')
        fputs("&lt;", out);
    else if (c == '>')
        fputs("&gt;", out);
    else if (c == '&')
        fputs("&amp;", out);
    else if (c == '"')
        fputs("&quot;", out);
    else
        fputc(c < ' ' ? ' ' : c, out);
}

void svg_escape(struct svg *s, const char *text)
{
    while (*text) {
        int n = sequence((const unsigned char *)text);
        if (n > 1)
            fwrite(text, 1, (size_t)n, s->out);
        else
            escape_ascii(s->out, n == 1 ? *text : '?');
        text += n > 1 ? n : 1;
    }
}

void svg_text(struct svg *s, int x, int y, struct svg_font font, const char *fmt, ...)
{
    static const char *const anchors[] = {"start", "middle", "end"};
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    fprintf(s->out, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"#%06x\"", x, y,
            font.size * SVG_PX, font.colour);
    if (font.anchor != SVG_START)
        fprintf(s->out, " text-anchor=\"%s\"", anchors[font.anchor]);
    fputs(font.bold ? " font-weight=\"bold\">" : ">", s->out);
    svg_escape(s, text);
    fputs("</text>\n", s->out);
}

void svg_line(struct svg *s, const int from[2], const int to[2], uint32_t colour, int width)
{
    fprintf(s->out,
            "<path d=\"M%d %dL%d %d\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%d\"/>\n",
            from[0], from[1], to[0], to[1], colour, width);
}

void svg_rect(struct svg *s, const int at[2], const int size[2], uint32_t fill)
{
    fprintf(s->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", at[0],
            at[1], size[0], size[1], fill);
}

void svg_diamond(struct svg *s, int x, int y)
{
    enum { HALF = 48 }; /* of its diagonal */
    fprintf(s->out,
            "<path class=\"paper\" d=\"M%d %dl%d %dl%d %dl%d %dz\" fill=\"#ffffff\" "
            "stroke=\"#000000\" stroke-width=\"13\"/>\n",
            x, y - HALF, HALF, HALF, -HALF, HALF, -HALF, -HALF);
}

const char *svg_real(char buf[SVG_REAL_N], double v, int digits)
{
    double scale = pow(10, digits);
    return str_from_real(buf, round(v * scale) / scale + 0.0);
}
