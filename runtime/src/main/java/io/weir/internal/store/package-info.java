/**
 * Parts that the stores of databases share: failures in the log, answers to the claims of a call,
 * addresses, names and pages of buckets.
 */
@NullMarked
package io.weir.internal.store;

import org.jspecify.annotations.NullMarked;
