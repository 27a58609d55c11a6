package io.weir.compat.tomcat10;

import io.weir.compat.servlet.ServletContract;
import io.weir.compat.servlet.TomcatLogContract;
import io.weir.compat.servlet.TomcatPeerContract;
import io.weir.seeds.RunOneIn;

@RunOneIn(5)
class Tomcat10Test implements ServletContract, TomcatLogContract, TomcatPeerContract {}
