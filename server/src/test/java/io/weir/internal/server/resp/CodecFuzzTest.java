package io.weir.internal.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ResourceLeakDetector;
import io.weir.Ticker;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.request.KeyExpressions;
import io.weir.internal.server.access.Identity;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.resp.command.CommandTable;
import io.weir.internal.server.resp.command.CommandTableFactory;
import io.weir.internal.server.resp.command.ExactRequestExecutor;
import io.weir.internal.server.resp.command.RespSession;
import io.weir.seeds.Seeds;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Sends random frames in random pieces: nothing breaks, nothing leaks, and no reply is out of
 * order.
 */
class CodecFuzzTest {
  private static final int FRAMES_OF_A_SEED = 20;
  private static final int SEEDS = 2_500;

  private static ResourceLeakDetector.Level level;
  private static long valid;
  private static long mutated;

  private final LateBuckets buckets = new LateBuckets();
  private final CommandTable commands =
      CommandTableFactory.of(
          new RequestDecider(new NothingLimits(), () -> KeyExpressions.NONE, Ticker.system()),
          DecisionTimer.NONE,
          new ExactRequestExecutor(buckets, DecisionTimer.NONE));

  @BeforeAll
  static void paranoid() {
    level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    System.out.println("first seed " + Seeds.first());
  }

  @AfterAll
  static void asBefore() {
    ResourceLeakDetector.setLevel(level);
    System.out.println(valid + " valid frames, " + mutated + " mutated ones");
  }

  /** A connection without a socket, whose buffers are counted. */
  private final class Line implements AutoCloseable {
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false, true);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

    Line(boolean open) {
      channel.config().setAllocator(allocator);
      RespSession session =
          new RespSession(
              1,
              token ->
                  token.equals("good")
                      ? Optional.of(new Identity(Set.of(Role.CHECK), Optional.empty()))
                      : Optional.empty(),
              open);
      channel
          .pipeline()
          .addLast(new RespConnection(channel, commands, session, RespLimits.DEFAULT));
    }

    void receive(Random random, byte[] bytes) {
      for (int at = 0; at < bytes.length && channel.isActive(); ) {
        int length =
            Math.min(bytes.length - at, 1 + random.nextInt(random.nextBoolean() ? 9 : 900));
        ByteBuf piece = allocator.buffer(length).writeBytes(bytes, at, length);
        channel.writeInbound(piece);
        at += length;
        if (random.nextBoolean()) {
          buckets.reply(random, 1 + random.nextInt(4));
          channel.runPendingTasks();
        }
      }
    }

    String sent() {
      for (ByteBuf each = channel.readOutbound(); each != null; each = channel.readOutbound()) {
        byte[] bytes = new byte[each.readableBytes()];
        each.readBytes(bytes);
        each.release();
        sent.writeBytes(bytes);
      }
      return sent.toString(StandardCharsets.ISO_8859_1);
    }

    /** All replies, once none waits. */
    List<String> replies(Random random) {
      buckets.reply(random, Integer.MAX_VALUE);
      channel.runPendingTasks();
      return new ReplyText(sent()).all();
    }

    @Override
    public void close() {
      channel.finishAndReleaseAll();
      buckets.reply(new Random(1), Integer.MAX_VALUE);
      channel.runPendingTasks();
      channel.finishAndReleaseAll();
      assertEquals(0, allocator.metric().usedHeapMemory(), "bytes that nobody released");
    }
  }

  @Test
  void repliesAreInStepWhateverTheOrderOfDecisions() {
    Seeds.each(
        SEEDS,
        random -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          List<String> expected = new ArrayList<>();
          for (int i = 0; i < FRAMES_OF_A_SEED; i++) {
            bytes.writeBytes(frame(random, expected));
            valid++;
          }
          try (Line line = new Line(true)) {
            line.receive(random, bytes.toByteArray());
            assertEquals(expected, line.replies(random));
          }
        });
  }

  private static byte[] frame(Random random, List<String> expected) {
    int number = random.nextInt(1_000_000) + 1;
    switch (random.nextInt(6)) {
      case 0 -> {
        expected.add("$" + number);
        return RespLine.command("ECHO", Integer.toString(number));
      }
      case 1 -> {
        expected.add("+PONG");
        return "  ping \r\n".getBytes(StandardCharsets.US_ASCII);
      }
      case 2 -> {
        expected.add("-ERR Syntax error");
        return RespLine.command("rl.get", "k", "1", "1", "TAKE", "1");
      }
      case 3 -> {
        return random.nextBoolean()
            ? new byte[] {'\r', '\n'}
            : "*0\r\n".getBytes(StandardCharsets.US_ASCII);
      }
      default -> {
        expected.add(":" + number);
        return RespLine.command("RL.REDUCE", "key " + number, Integer.toString(number), "60");
      }
    }
  }

  @Test
  void mutatedFramesBreakNothing() {
    Seeds.each(
        SEEDS,
        random -> {
          boolean open = random.nextBoolean();
          List<String> expected = new ArrayList<>();
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          bytes.writeBytes(RespLine.command("HELLO", "2", "AUTH", "default", "good"));
          bytes.writeBytes(RespLine.command("ECHO", "first"));
          for (int i = 0; i < FRAMES_OF_A_SEED; i++) {
            byte[] frame = random.nextInt(8) == 0 ? noise(random) : frame(random, expected);
            bytes.writeBytes(mutated(random, frame));
            mutated++;
          }
          try (Line line = new Line(open)) {
            line.receive(random, bytes.toByteArray());
            List<String> replies = line.replies(random);
            assertEquals("$first", replies.get(1));
            assertTrue(replies.size() <= 2 + bytes.size() / 2);
          }
        });
  }

  /** Before a sign-in nothing but errors is to be had, and little is kept. */
  @Test
  void strangersBreakNothing() {
    Seeds.each(
        SEEDS / 5,
        random -> {
          try (Line line = new Line(false)) {
            for (int i = 0; i < FRAMES_OF_A_SEED && line.channel.isActive(); i++) {
              line.receive(random, mutated(random, frame(random, new ArrayList<>())));
              mutated++;
            }
            for (String reply : line.replies(random)) {
              boolean isRefusal =
                  reply.startsWith("-NOAUTH")
                      || reply.startsWith("-ERR Protocol error")
                      || reply.equals("+OK");
              assertTrue(isRefusal, reply);
            }
          }
        });
  }

  private static byte[] noise(Random random) {
    byte[] noise = new byte[random.nextInt(200)];
    random.nextBytes(noise);
    return noise;
  }

  private static byte[] mutated(Random random, byte[] frame) {
    byte[] other = frame.clone();
    for (int changes = random.nextInt(3); changes > 0 && other.length > 0; changes--) {
      int at = random.nextInt(other.length);
      switch (random.nextInt(5)) {
        case 0 -> other[at] = (byte) random.nextInt(256);
        case 1 -> other[at] = (byte) "*$\r\n-0123456789%_".charAt(random.nextInt(17));
        case 2 -> other = Arrays.copyOf(other, at);
        case 3 -> {
          byte[] longer = Arrays.copyOf(other, other.length + 1);
          System.arraycopy(other, at, longer, at + 1, other.length - at);
          other = longer;
        }
        default -> {
          byte[] twice = Arrays.copyOf(other, other.length + at);
          System.arraycopy(other, 0, twice, other.length, at);
          other = twice;
        }
      }
    }
    return other;
  }

  @Test
  void nothingIsAllocatedBecauseALengthSaysSo() {
    try (Line line = new Line(true)) {
      line.channel.writeInbound(
          Unpooled.copiedBuffer("*1000\r\n$60000\r\nabc", StandardCharsets.US_ASCII));
      long used = line.allocator.metric().usedHeapMemory();
      assertTrue(used < 4_096, () -> used + " bytes");
    }
  }
}
