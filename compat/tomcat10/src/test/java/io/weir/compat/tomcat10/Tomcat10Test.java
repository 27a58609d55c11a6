package io.weir.compat.tomcat10;

import io.weir.compat.servlet.ServletContract;
import io.weir.compat.servlet.TomcatLogContract;

class Tomcat10Test implements ServletContract, TomcatLogContract {}
