/* driver.c - the same as saxpy.yaml, by a program of one's own.
 *
 *     cc driver.c -o driver $(pkg-config --cflags --libs heddle) */
#include <heddle/heddle.h>
#include <stdio.h>

int main(void)
{
    float x[200], y[200];
    for (int i = 0; i < 200; i++) {
        x[i] = 0.5f * (float)i;
        y[i] = 1;
    }
    struct hd_error e = {0};
    hd_ptr dx = 0, dy = 0;
    struct hd_device *d = hd_device_new(NULL, &e);
    struct hd_module *m = d ? hd_module_load_file(d, "saxpy.ptx", &e) : NULL;
    const struct hd_function *f = m ? hd_module_function(m, "saxpy", &e) : NULL;
    bool ok = f && hd_malloc(d, &dx, sizeof x, &e) && hd_malloc(d, &dy, sizeof y, &e) &&
              hd_upload(d, dx, x, sizeof x, &e) && hd_upload(d, dy, y, sizeof y, &e);

    struct hd_args args = {0};
    hd_arg_i32(&args, 200);
    hd_arg_f32(&args, 2.5f);
    hd_arg_ptr(&args, dx);
    hd_arg_ptr(&args, dy);
    struct hd_dim grid = {2, 1, 1}, block = {128, 1, 1};
    ok = ok && hd_launch(d, f, grid, block, 0, &args, NULL, &e) &&
         hd_download(d, y, dy, sizeof y, &e);
    hd_device_free(d);
    if (ok)
        printf("y[199] = %g\n", (double)y[199]);
    else
        fprintf(stderr, "%s\n", e.text);
    return (int)e.status;
}
