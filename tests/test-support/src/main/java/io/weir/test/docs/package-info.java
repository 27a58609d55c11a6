/** Reads pages that tests hold to the code. */
package io.weir.test.docs;
