/**
 * Turns decisions into HTTP for all web adapters: header fields, status and the body of refusals.
 */
@NullMarked
package io.weir.internal.http;

import org.jspecify.annotations.NullMarked;
