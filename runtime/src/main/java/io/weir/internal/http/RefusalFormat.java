package io.weir.internal.http;

/** The standard bodies of refusals: the values of {@code weir.refusal.body}, in lower case. */
public enum RefusalFormat {
  /** {@code problem}, the default: a problem document (RFC 9457). */
  PROBLEM("application/problem+json"),

  /** {@code simple}: an object of two members, {@code error} and {@code retryAfter}. */
  SIMPLE("application/json");

  private final String contentType;

  RefusalFormat(String contentType) {
    this.contentType = contentType;
  }

  String contentType() {
    return contentType;
  }
}
