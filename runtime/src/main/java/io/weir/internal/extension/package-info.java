/** Calls the parts that an application plugs in so that their failures don't become a request's. */
@NullMarked
package io.weir.internal.extension;

import org.jspecify.annotations.NullMarked;
