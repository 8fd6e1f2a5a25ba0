/* timed.c - a kernel of one's own, launched by a program in C and timed on a machine.
 *
 *     cc timed.c -o timed $(pkg-config --cflags --libs heddle)
 *     ./timed ../saxpy/saxpy.ptx */
#include <heddle/heddle.h>
#include <stdio.h>

enum { N = 200 };

struct world {
    struct hd_config *config; /* lives as long as the machine */
    struct hd_gpu *gpu;       /* lives as long as the device */
    struct hd_device *device;
};

static bool open_world(struct world *w, const char *machine, struct hd_error *e)
{
    w->config = hd_config_machine(machine, e);
    if (!w->config || !hd_config_set(w->config, "l1.size=32K", e))
        return false;
    w->gpu = hd_gpu_new(w->config, NULL, e);
    w->device = w->gpu ? hd_device_new(&(struct hd_device_options){.gpu = w->gpu}, e) : NULL;
    return w->device != NULL;
}

static void close_world(struct world *w)
{
    hd_device_free(w->device);
    hd_gpu_free(w->gpu);
    hd_config_free(w->config);
}

static bool saxpy(struct world *w, const char *ptx, const float x[N], float y[N],
                  struct hd_error *e)
{
    struct hd_device *d = w->device;
    struct hd_module *m = hd_module_load_file(d, ptx, e);
    const struct hd_function *f = m ? hd_module_function(m, "saxpy", e) : NULL;
    hd_ptr dx, dy;
    if (!f || !hd_malloc(d, &dx, sizeof *x * N, e) || !hd_malloc(d, &dy, sizeof *y * N, e) ||
        !hd_upload(d, dx, x, sizeof *x * N, e) || !hd_upload(d, dy, y, sizeof *y * N, e))
        return false;
    struct hd_args args = {0};
    hd_arg_i32(&args, N);
    hd_arg_f32(&args, 2.5f);
    hd_arg_ptr(&args, dx);
    hd_arg_ptr(&args, dy);
    struct hd_dim grid = {2, 1, 1}, block = {128, 1, 1};
    return hd_launch(d, f, grid, block, 0, &args, NULL, e) && /* executed, and timed */
           hd_download(d, y, dy, sizeof *y * N, e) && hd_gpu_finish(w->gpu, e);
}

int main(int argc, char **argv)
{
    float x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = 0.5f * (float)i;
        y[i] = 1;
    }
    struct world w = {0};
    struct hd_error e = {0};
    const char *ptx = argc > 1 ? argv[1] : "saxpy.ptx", *machine = argc > 2 ? argv[2] : "icc60";
    if (open_world(&w, machine, &e) && saxpy(&w, ptx, x, y, &e)) {
        printf("y[199] = %g\n", (double)y[N - 1]);
        printf("%llu cycles; a read takes %.1f\n", (unsigned long long)hd_gpu_cycles(w.gpu),
               hd_gpu_stat(w.gpu, "latency"));
        printf("digest %016llx\n", (unsigned long long)hd_gpu_digest(w.gpu));
    } else {
        fprintf(stderr, "%s\n", e.text);
    }
    close_world(&w);
    return (int)e.status;
}
