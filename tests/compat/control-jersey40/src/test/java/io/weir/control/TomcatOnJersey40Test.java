package io.weir.control;

import io.weir.seeds.RunOneIn;

/** The control API as in {@link TomcatTest}, with the libraries of this module. */
@RunOneIn(5)
class TomcatOnJersey40Test extends TomcatTest {}
