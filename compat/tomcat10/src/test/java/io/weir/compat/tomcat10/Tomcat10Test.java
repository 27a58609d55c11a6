package io.weir.compat.tomcat10;

import io.weir.compat.servlet.ServletContract;
import io.weir.compat.servlet.TomcatServer;

class Tomcat10Test implements ServletContract, TomcatServer {}
