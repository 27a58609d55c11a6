/** Requests that other programs serve, as they are described to Weir. */
@NullMarked
package io.weir.internal.control.decide.request;

import org.jspecify.annotations.NullMarked;
