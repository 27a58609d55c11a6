package io.weir.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** The response of all applications. */
final class Hello {
  /** The most that a limit can be; a million requests a second would stay below it. */
  static final long MORE_THAN_ASKED = 1_000_000_000;

  static final String PATH = "/hello";
  static final String IETF_PATH = "/ietf";
  static final String RULES_PATH = "/rules";
  static final String REFUSED_PATH = "/refused";

  /** Stands once in each answer that is admitted, at its end. */
  static final byte END = '~';

  /** Stands once in each problem document, at its end. */
  static final byte END_OF_REFUSAL = '}';

  static final String TEXT = "hello, world" + (char) END;
  static final byte[] BODY = TEXT.getBytes(US_ASCII);

  private Hello() {}
}
