package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.weir.Ticker;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.request.KeyExpressions;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.resp.command.CommandTableFactory;
import io.weir.internal.server.resp.command.ExactRequestExecutor;
import io.weir.internal.server.resp.command.RespSession;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the memory that a connection holds, whatever its client does. */
class HeldTest {
  private static final int NONE = -1;

  private final LateBuckets buckets = new LateBuckets();
  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
  private final EmbeddedChannel channel = new EmbeddedChannel();

  private void connect(boolean open) {
    channel.config().setAllocator(allocator);
    RespConnection connection =
        new RespConnection(
            channel,
            CommandTableFactory.of(
                new RequestDecider(new NothingLimits(), () -> KeyExpressions.NONE, Ticker.system()),
                DecisionTimer.NONE,
                new ExactRequestExecutor(buckets, DecisionTimer.NONE)),
            new RespSession(1, token -> Optional.empty(), open),
            RespLimits.DEFAULT);
    channel.pipeline().addLast(connection);
    connection.begin();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void receive(String text) {
    channel.writeInbound(ByteBufUtil.writeAscii(allocator, text));
  }

  private List<String> replies() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (ByteBuf each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
      byte[] bytes = new byte[each.readableBytes()];
      each.readBytes(bytes);
      each.release();
      all.writeBytes(bytes);
    }
    return new ReplyText(all.toString(StandardCharsets.ISO_8859_1)).all();
  }

  private long nextTimer() {
    return channel.runScheduledPendingTasks();
  }

  /** Short commands have long replies, and none can be sent while the store hangs. */
  @Test
  void repliesBehindOneThatIsNotKnownAreBounded() {
    connect(true);
    int commands = 5_000;
    receive("RL.REDUCE a 2 60\r\nPING\r\n" + "RL.REDUCE a 2 60\r\nCOMMAND\r\n".repeat(commands));
    assertFalse(channel.config().isAutoRead());
    long used = allocator.metric().usedHeapMemory();
    assertTrue(used < 1_000_000, () -> used + " bytes");
    do {
      buckets.reply(new Random(1), Integer.MAX_VALUE);
      channel.runPendingTasks();
    } while (buckets.waiting() > 0);
    assertTrue(channel.config().isAutoRead());
    assertEquals(2 + 2 * commands, replies().size());
  }

  /** A client whose reads never end with a command would have all of it kept otherwise. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatWasExecutedIsNotKept(boolean open) {
    connect(open);
    for (int i = 0; i < 2_000; i++) {
      receive((i == 0 ? "" : "NG\r\n") + "*1\r\n$4\r\nPING\r\n".repeat(100) + "*1\r\n$4\r\nPI");
      assertEquals(i == 0 ? 100 : 101, replies().size());
    }
    long used = allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory();
    assertTrue(used < 64 * 1024, () -> used + " bytes are kept of 2.8 million");
  }

  @Test
  void noTimerOutlivesItsConnection() {
    connect(false);
    receive("*2\r\n$4\r\nAUTH\r\n");
    assertNotEquals(NONE, nextTimer());
    channel.pipeline().fireChannelInactive();
    assertEquals(NONE, nextTimer());
  }

  /** A client that reads now and then would have thousands. */
  @Test
  void aTimerEndsWithWhatItWaitsFor() {
    connect(true);
    for (int i = 0; i < 3; i++) {
      channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
      receive("PING\r\n");
      assertNotEquals(NONE, nextTimer());
      channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
      channel.runPendingTasks();
      assertEquals(List.of("+PONG"), replies());
      assertEquals(NONE, nextTimer());
    }
  }
}
