/** Makes threads as processes that lack them do. */
package io.weir.test.threads;
