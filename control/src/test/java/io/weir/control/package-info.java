/** The control API over HTTP, with real servers and clients. */
@NullMarked
package io.weir.control;

import org.jspecify.annotations.NullMarked;
