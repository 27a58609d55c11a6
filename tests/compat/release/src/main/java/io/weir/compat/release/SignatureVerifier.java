package io.weir.compat.release;

/** Verifies detached signatures. */
@FunctionalInterface
interface SignatureVerifier {
  /** Returns whether the signature is valid, and that of the content. */
  boolean isValid(byte[] content, byte[] signature);
}
