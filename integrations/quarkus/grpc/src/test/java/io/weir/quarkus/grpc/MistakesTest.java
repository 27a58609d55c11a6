package io.weir.quarkus.grpc;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.grpc.stub.StreamObserver;
import io.quarkus.grpc.GrpcService;
import io.quarkus.test.QuarkusUnitTest;
import io.smallrye.mutiny.Uni;
import io.weir.annotation.RateLimit;
import io.weir.grpc.PerMessage;
import io.weir.grpc.talk.ChecksBean;
import io.weir.grpc.talk.ChecksGrpc;
import io.weir.grpc.talk.Line;
import io.weir.grpc.talk.TalkGrpc;
import io.weir.seeds.OneDayIn;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mistakes of all services stop the start, in one message. */
@OneDayIn(2)
class MistakesTest {
  @RegisterExtension
  static final QuarkusUnitTest APPLICATION =
      new QuarkusUnitTest()
          .withApplicationRoot(
              jar ->
                  jar.addPackage(ChecksBean.class.getPackage())
                      .addClasses(Plain.class, ServerPorts.class, Helping.class))
          .overrideRuntimeConfigKey("quarkus.grpc.server.test-port", ServerPorts.free())
          .assertException(MistakesTest::names);

  private static void names(Throwable failure) {
    StringWriter all = new StringWriter();
    failure.printStackTrace(new PrintWriter(all));
    for (String each :
        List.of("Plain.ask(): @PerMessage has no effect", "Helping.help(): answers no method")) {
      assertTrue(all.toString().contains(each), all::toString);
    }
  }

  /** Counts messages where there is one. */
  @GrpcService
  public static class Plain extends TalkGrpc.TalkImplBase {
    @Override
    @PerMessage
    public void ask(Line line, StreamObserver<Line> answer) {}
  }

  /** Limits a method that no call leads to. */
  @GrpcService
  public static class Helping extends ChecksGrpc.ChecksImplBase {
    @RateLimit(limit = 1, window = 60)
    public Uni<Line> help(Line line) {
      return Uni.createFrom().item(line);
    }
  }

  @Test
  void startsNothing() {
    fail("the application has started");
  }
}
