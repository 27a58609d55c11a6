/** Tests what is written into responses. */
@NullMarked
package io.weir.internal.control.http;

import org.jspecify.annotations.NullMarked;
