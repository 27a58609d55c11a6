/** What happens, told to pages as a stream and to a webhook. */
@NullMarked
package io.weir.internal.control.events;

import org.jspecify.annotations.NullMarked;
