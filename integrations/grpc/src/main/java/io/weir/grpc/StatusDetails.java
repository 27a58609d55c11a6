package io.weir.grpc;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes the {@code google.rpc.Status} of a refusal as protobuf does. Without protobuf's library,
 * which would be needed for a few fields alone: an application may have its lite runtime, or
 * messages of another kind.
 *
 * <p>Used by one thread.
 */
final class StatusDetails {
  private static final String RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo";

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private StatusDetails() {}

  /**
   * Writes a status with a {@code RetryInfo} among its details.
   *
   * @param code the number of the code
   * @param seconds until a retry may succeed
   */
  static byte[] write(int code, String message, long seconds) {
    byte[] delay = new StatusDetails().number(1, seconds).bytes();
    byte[] retryInfo = new StatusDetails().part(1, delay).bytes();
    byte[] any = new StatusDetails().text(1, RETRY_INFO).part(2, retryInfo).bytes();
    return new StatusDetails().number(1, code).text(2, message).part(3, any).bytes();
  }

  private StatusDetails number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  private StatusDetails text(int field, String value) {
    return part(field, value.getBytes(StandardCharsets.UTF_8));
  }

  private StatusDetails part(int field, byte[] value) {
    varint((long) field << 3 | 2);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  /** Writes seven bits a byte, the lowest first; all bytes but the last one have the eighth bit. */
  private void varint(long value) {
    long rest = value;
    while (rest >>> 7 != 0) {
      bytes.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  private byte[] bytes() {
    return bytes.toByteArray();
  }
}
