package io.weir.internal.server.grpc;

import static io.weir.internal.server.envoy.proto.RateLimitResponse.Code.OK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.weir.RateLimiter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that malformed messages are errors of the client, and don't fill the log. */
class MalformedMessagesTest {
  private static final String CHECKS =
      "envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final String HEALTH = "grpc.health.v1.Health/Check";
  private static final byte[] CUT_OFF = {0x0a, 0x7f};
  private static final byte[] NOT_UTF_8 = {0x0a, 2, (byte) 0xff, 'x'};
  private static final byte[] NO_FIELD = {7};

  @TempDir private Path folder;

  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final Handler listening = new Listening();
  private EnvoyServer server;

  private final class Listening extends Handler {
    @Override
    public void publish(LogRecord line) {
      boolean isGrpc = String.valueOf(line.getLoggerName()).startsWith("io.grpc.");
      if (isGrpc && line.getLevel().intValue() > Level.INFO.intValue()) {
        logged.add(line.getLoggerName() + " " + line.getMessage());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** Messages as they are on the wire. */
  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream message) {
      try {
        return message.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = EnvoyServer.open(RateLimiter.inProcess(), folder);
    Logger.getLogger("").addHandler(listening);
  }

  @AfterEach
  void stop() {
    Logger.getLogger("").removeHandler(listening);
    server.close();
  }

  private byte[] send(String method, byte[] message) {
    MethodDescriptor<byte[], byte[]> raw =
        MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method)
            .build();
    return ClientCalls.blockingUnaryCall(server.channel(), raw, CallOptions.DEFAULT, message);
  }

  /** Includes health checks, which need no token and so could fill the log. */
  @Test
  void areInvalidAndNotLogged() {
    for (String method : List.of(CHECKS, HEALTH)) {
      for (byte[] message : List.of(CUT_OFF, NOT_UTF_8, NO_FIELD)) {
        Status status =
            assertThrows(StatusRuntimeException.class, () -> send(method, message)).getStatus();
        assertEquals(Status.Code.INVALID_ARGUMENT, status.getCode(), status.toString());
        assertEquals("the message is malformed", status.getDescription());
      }
    }
    assertEquals(
        OK, server.stub().shouldRateLimit(EnvoyServer.request("user", "al")).getOverallCode());
    assertEquals(List.of(), logged);
  }
}
