/** Who is calling: client address, trusted proxies, user and key expressions. */
@NullMarked
package io.weir.internal.key;

import org.jspecify.annotations.NullMarked;
