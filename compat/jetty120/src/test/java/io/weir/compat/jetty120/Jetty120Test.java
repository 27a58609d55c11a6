package io.weir.compat.jetty120;

import io.weir.compat.servlet.ServletContract;

class Jetty120Test implements ServletContract, JettyServer {}
