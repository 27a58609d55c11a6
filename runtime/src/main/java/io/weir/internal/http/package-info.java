/**
 * How a decision looks in HTTP: header fields, status and problem document, the same for all web
 * adapters.
 */
@NullMarked
package io.weir.internal.http;

import org.jspecify.annotations.NullMarked;
