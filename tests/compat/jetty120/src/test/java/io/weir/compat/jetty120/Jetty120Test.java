package io.weir.compat.jetty120;

import io.weir.compat.servlet.ServletContract;
import io.weir.seeds.RunOneIn;

@RunOneIn(5)
class Jetty120Test implements ServletContract, JettyServer {}
