/* bfs.cu - breadth-first search, one level of the graph in two launches.
 *
 * Stands for Rodinia bfs: a thread per node in blocks of 512; the frontier, the nodes to be added
 * to it and the visited nodes are byte masks; the graph is in compressed rows.
 *
 * Ours differs in nothing but names: Rodinia's Kernel and Kernel2 are bfs_expand and bfs_commit. */
#include "heddle_cuda.h"

struct bfs_node {
    int first_edge, edges;
};

/* Every node of the frontier leaves it and reaches its unvisited neighbours.  Several nodes can
 * reach the same one: all write the same cost. */
extern "C" __global__ void bfs_expand(const bfs_node *nodes, const int *edges, bool *in_frontier,
                                      bool *is_reached, const bool *is_visited, int *cost, int n)
{
    const int node = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (node >= n || !in_frontier[node])
        return;
    in_frontier[node] = false;
    for (int i = nodes[node].first_edge; i < nodes[node].first_edge + nodes[node].edges; i++) {
        const int neighbour = edges[i];
        if (!is_visited[neighbour]) {
            cost[neighbour] = cost[node] + 1;
            is_reached[neighbour] = true;
        }
    }
}

/* The reached nodes are the next frontier. */
extern "C" __global__ void bfs_commit(bool *in_frontier, bool *is_reached, bool *is_visited,
                                      bool *is_unfinished, int n)
{
    const int node = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (node >= n || !is_reached[node])
        return;
    in_frontier[node] = true;
    is_visited[node] = true;
    *is_unfinished = true;
    is_reached[node] = false;
}
