/** Who may use the service, whichever door it comes by. */
@NullMarked
package io.weir.internal.server.access;

import org.jspecify.annotations.NullMarked;
