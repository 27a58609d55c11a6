/** Regions of one application, each with a store of its own, and the limits over all of them. */
@NullMarked
package io.weir.internal.region;

import org.jspecify.annotations.NullMarked;
