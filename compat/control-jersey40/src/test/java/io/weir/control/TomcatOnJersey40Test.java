package io.weir.control;

import io.weir.seeds.OneIn;

/** The control API as in {@link TomcatTest}, with the libraries of this module. */
@OneIn(10)
class TomcatOnJersey40Test extends TomcatTest {}
