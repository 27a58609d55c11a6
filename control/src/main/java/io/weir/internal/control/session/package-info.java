/** Reports the signed-in caller to pages. */
@NullMarked
package io.weir.internal.control.session;

import org.jspecify.annotations.NullMarked;
