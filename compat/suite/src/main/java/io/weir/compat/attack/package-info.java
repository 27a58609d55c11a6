/** What attacks over HTTP are made of, whichever adapter and server they meet. */
@NullMarked
package io.weir.compat.attack;

import org.jspecify.annotations.NullMarked;
