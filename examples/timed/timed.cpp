// timed.cpp - the same as timed.c in C++: handles that free themselves, errors that are exceptions.
//
//     c++ -std=c++17 timed.cpp -o timed $(pkg-config --cflags --libs heddle)
//     ./timed ../saxpy/saxpy.ptx
#include <heddle/heddle.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

namespace {

struct failure : std::runtime_error {
    explicit failure(const hd_error &e) : std::runtime_error(e.text), status(e.status) {}
    int status;
};

// The last argument of every call that can fail: thrown where the call says that it did.
struct check : hd_error {
    check() : hd_error{} {}
    template <class T> T operator()(T result) const
    {
        if (status != HD_DONE)
            throw failure(*this);
        return result;
    }
};

template <class T, void (*release)(T *)> struct freed_by {
    void operator()(T *p) const { release(p); }
};
template <class T, void (*release)(T *)> using handle = std::unique_ptr<T, freed_by<T, release>>;

using config = handle<hd_config, hd_config_free>;
using gpu = handle<hd_gpu, hd_gpu_free>;
using device = handle<hd_device, hd_device_free>;

hd_ptr upload(hd_device *d, const std::vector<float> &data)
{
    check e;
    hd_ptr p = 0;
    e(hd_malloc(d, &p, data.size() * sizeof(float), &e));
    e(hd_upload(d, p, data.data(), data.size() * sizeof(float), &e));
    return p;
}

void run(const char *ptx, const char *machine)
{
    check e;
    // Freed in the opposite order: the device, its machine, the machine's configuration.
    config c(e(hd_config_machine(machine, &e)));
    e(hd_config_set(c.get(), "l1.size=32K", &e));
    gpu g(e(hd_gpu_new(c.get(), nullptr, &e)));
    hd_device_options options{};
    options.gpu = g.get();
    device d(e(hd_device_new(&options, &e)));

    std::vector<float> x(200), y(200, 1.0f);
    for (std::size_t i = 0; i < x.size(); i++)
        x[i] = 0.5f * static_cast<float>(i);
    const hd_function *saxpy =
        e(hd_module_function(e(hd_module_load_file(d.get(), ptx, &e)), "saxpy", &e));
    hd_ptr dx = upload(d.get(), x), dy = upload(d.get(), y);
    auto args = std::make_unique<hd_args>();
    hd_arg_i32(args.get(), static_cast<int>(x.size()));
    hd_arg_f32(args.get(), 2.5f);
    hd_arg_ptr(args.get(), dx);
    hd_arg_ptr(args.get(), dy);
    e(hd_launch(d.get(), saxpy, {2, 1, 1}, {128, 1, 1}, 0, args.get(), nullptr, &e));
    e(hd_download(d.get(), y.data(), dy, y.size() * sizeof(float), &e));
    e(hd_gpu_finish(g.get(), &e));

    std::printf("y[199] = %g\n", static_cast<double>(y[199]));
    std::printf("%llu cycles; a read takes %.1f\n",
                static_cast<unsigned long long>(hd_gpu_cycles(g.get())),
                hd_gpu_stat(g.get(), "latency"));
    std::printf("digest %016llx\n", static_cast<unsigned long long>(hd_gpu_digest(g.get())));
}

} // namespace

int main(int argc, char **argv)
{
    try {
        run(argc > 1 ? argv[1] : "saxpy.ptx", argc > 2 ? argv[2] : "icc60");
        return 0;
    } catch (const failure &f) {
        std::fprintf(stderr, "%s\n", f.what());
        return f.status;
    }
}
