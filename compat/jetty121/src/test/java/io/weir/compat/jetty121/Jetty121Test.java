package io.weir.compat.jetty121;

import io.weir.compat.servlet.ServletContract;

class Jetty121Test implements ServletContract, JettyServer {}
