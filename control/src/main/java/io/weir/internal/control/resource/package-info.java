/** What resource methods say of themselves: whom they are for, what they take and answer. */
@NullMarked
package io.weir.internal.control.resource;

import org.jspecify.annotations.NullMarked;
