/** The certificate of the listeners. */
@NullMarked
package io.weir.internal.server.tls;

import org.jspecify.annotations.NullMarked;
