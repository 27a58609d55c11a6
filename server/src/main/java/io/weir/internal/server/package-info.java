/** One process that decides for others. */
@NullMarked
package io.weir.internal.server;

import org.jspecify.annotations.NullMarked;
