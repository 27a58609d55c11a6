/** Access lists: entries of all sources in one list, and what it says of a request. */
@NullMarked
package io.weir.internal.access;

import org.jspecify.annotations.NullMarked;
