/** Certificates of the doors. */
@NullMarked
package io.weir.internal.server.tls;

import org.jspecify.annotations.NullMarked;
