package io.weir.compat.tomcat11;

import io.weir.compat.servlet.ServletContract;
import io.weir.compat.servlet.TomcatLogContract;

class Tomcat11Test implements ServletContract, TomcatLogContract {}
