package io.weir.compat.tomcat11;

import io.weir.compat.servlet.ServletContract;
import io.weir.compat.servlet.TomcatLogContract;
import io.weir.compat.servlet.TomcatPeerContract;

class Tomcat11Test implements ServletContract, TomcatLogContract, TomcatPeerContract {}
