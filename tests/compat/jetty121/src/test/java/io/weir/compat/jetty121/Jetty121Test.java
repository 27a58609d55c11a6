package io.weir.compat.jetty121;

import io.weir.compat.servlet.ServletContract;
import io.weir.seeds.RunOneIn;

@RunOneIn(3)
class Jetty121Test implements ServletContract, JettyServer {}
