/* btree.cu - look-up of keys, and of ranges of keys, in a B+ tree.
 *
 * Stands for Rodinia b+tree: one CTA per query, as many threads as a node has key slots.  On each
 * level every thread compares one slot and its right neighbour with the query; the thread whose
 * slots enclose the query names the child.  The position in the tree is kept in global memory, as
 * in the original, and a node is the original's packed record: keys and links, so that its rows
 * start anywhere in a cache line.  The original's order is 256 for CUDA and so is ours.
 *
 * Ours differs in nothing but names; how the driver builds the tree is in workloads/bt.c. */
#include "heddle_cuda.h"

#define BTREE_ORDER 256

/* Keys ascend; slot 0 is below and the slots from the last one on are above every query.  Links
 * are children, or records in a leaf. */
struct btree_node {
    int location;
    int links[BTREE_ORDER + 1];
    int keys[BTREE_ORDER + 1];
    bool is_leaf;
    int slots;
};

struct btree_record {
    int value;
};

HD_DEVICE void choose_child(const btree_node *nodes, long node_count, long node, int slot, int key,
                            long *child)
{
    if (nodes[node].keys[slot] <= key && nodes[node].keys[slot + 1] > key) {
        if (nodes[*child].links[slot] < node_count)
            *child = nodes[*child].links[slot];
    }
}

extern "C" __global__ void findK(long height, const btree_node *nodes, long node_count,
                                 const btree_record *records, long *current, long *next,
                                 const int *keys, btree_record *answers)
{
    const int slot = (int)threadIdx.x;
    const int query = (int)blockIdx.x;

    for (int level = 0; level < height; level++) {
        choose_child(nodes, node_count, current[query], slot, keys[query], &next[query]);
        __syncthreads();
        if (slot == 0)
            current[query] = next[query];
        __syncthreads();
    }

    if (nodes[current[query]].keys[slot] == keys[query])
        answers[query].value = records[nodes[current[query]].links[slot]].value;
}

/* The records of a range lie one after another: its first and its number are the answer. */
extern "C" __global__ void findRangeK(long height, const btree_node *nodes, long node_count,
                                      long *current, long *next, long *last_current,
                                      long *last_next, const int *first_keys, const int *last_keys,
                                      int *first_record, int *record_count)
{
    const int slot = (int)threadIdx.x;
    const int query = (int)blockIdx.x;

    for (int level = 0; level < height; level++) {
        choose_child(nodes, node_count, current[query], slot, first_keys[query], &next[query]);
        choose_child(nodes, node_count, last_current[query], slot, last_keys[query],
                     &last_next[query]);
        __syncthreads();
        if (slot == 0) {
            current[query] = next[query];
            last_current[query] = last_next[query];
        }
        __syncthreads();
    }

    if (nodes[current[query]].keys[slot] == first_keys[query])
        first_record[query] = nodes[current[query]].links[slot];
    __syncthreads();
    if (nodes[last_current[query]].keys[slot] == last_keys[query])
        record_count[query] = nodes[last_current[query]].links[slot] - first_record[query] + 1;
}
