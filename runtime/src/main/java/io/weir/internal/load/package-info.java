/** Measures how busy this node is, for policies that follow the load. */
@NullMarked
package io.weir.internal.load;

import org.jspecify.annotations.NullMarked;
