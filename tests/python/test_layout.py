"""The structs of _library.py have the members of include/heddle, at the same places."""
import ctypes
import os
import re
import subprocess
import unittest

from heddle import _library as lib

STRUCTS = {"hd_error": lib.Error, "hd_progress": lib.Progress, "hd_watch": lib.Watch, "hd_noc_options": lib.NocOptions,
           "hd_gpu_options": lib.GpuOptions, "hd_program": lib.Program, "hd_dim": lib.Dim,
           "hd_launch_info": lib.LaunchInfo, "hd_device_options": lib.DeviceOptions,
           "hd_function_info": lib.FunctionInfo, "hd_parameter_info": lib.ParameterInfo, "hd_args": lib.Args,
           "hd_machine_entry": lib.MachineEntry, "hd_workload_entry": lib.WorkloadEntry,
           "hd_parameter": lib.ParameterEntry, "hd_statistic": lib.StatisticEntry}
INCLUDE = os.path.join(os.environ["HEDDLE_SOURCE"], "include")


class Layout(unittest.TestCase):
    def test_structs_are_those_of_the_headers(self):
        lines = ["#include <heddle/heddle.h>", "#include <stdio.h>", "int main(void) {"]
        want = []
        for name, struct in STRUCTS.items():
            lines.append('printf("%s %%zu\\n", sizeof(struct %s));' % (name, name))
            want.append("%s %d" % (name, ctypes.sizeof(struct)))
            for field, _ in struct._fields_:
                member = field.rstrip("_")
                lines.append('printf("%s.%s %%zu %%zu\\n", offsetof(struct %s, %s), sizeof((struct %s *)0)->%s);'
                             % (name, member, name, member, name, member))
                at = getattr(struct, field)
                want.append("%s.%s %d %d" % (name, member, at.offset, at.size))
        with open("layout.c", "w") as f:
            f.write("\n".join(lines + ["return 0; }"]))
        env = {k: v for k, v in os.environ.items() if k != "LD_PRELOAD"}
        subprocess.run(["cc", "-I", INCLUDE, "layout.c", "-o", "layout"], check=True, env=env)
        got = subprocess.run(["./layout"], stdout=subprocess.PIPE, text=True, env=env).stdout.split("\n")
        self.assertEqual(got[:-1], want)

    def test_functions_are_declared(self):
        text = "".join(open(os.path.join(INCLUDE, "heddle", h)).read() for h in os.listdir(INCLUDE + "/heddle"))
        for name, (result, arguments) in lib._FUNCTIONS.items():
            declared = re.search(r"\b%s\(((?:[^()]|\((?:[^()])*\))*)\);" % name, text)
            self.assertTrue(declared, name)
            flat = re.sub(r"\([^()]*\)", "", declared[1])  # of pointers to functions
            n = 0 if flat.strip() == "void" else flat.count(",") + 1
            self.assertEqual(n, len(arguments), name)


if __name__ == "__main__":
    unittest.main()
