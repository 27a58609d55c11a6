package io.weir.internal.server.resp.command;

import io.weir.internal.server.resp.codec.CommandArguments;
import io.weir.internal.server.resp.codec.CommandException;
import io.weir.internal.server.resp.codec.PendingReply;
import io.weir.internal.server.resp.codec.ReplyWriter;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Executes {@code AUTH} and {@code HELLO}. The password is the token; any user name is accepted.
 * Stateless.
 */
final class SignInCommands {
  /** The version by which clients choose the features that they use. */
  static final String REDIS_VERSION = "7.4.0";

  private static final byte[] AUTH = CommandEntry.letters("AUTH");
  private static final byte[] SETNAME = CommandEntry.letters("SETNAME");
  private static final int MEMBERS = 7;
  private static final String WRONG_TOKEN =
      "WRONGPASS the token is unknown, revoked or expired, or isn't for checks";

  /** The code by which clients know that a Redis has just started: they retry. */
  private static final String UNREAD_TOKENS =
      "LOADING the server hasn't been able to read the tokens since its start; retry later";

  private SignInCommands() {}

  static @Nullable PendingReply auth(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    return signIn(token(args, args.count() - 1), session, out, ReplyWriter::ok);
  }

  /** Signs in and replies, at once if the token is known. */
  private static @Nullable PendingReply signIn(
      String token, RespSession session, ReplyWriter out, Consumer<ReplyWriter> reply)
      throws CommandException {
    String refusal = session.mayBeUnread(token) ? UNREAD_TOKENS : WRONG_TOKEN;
    CompletableFuture<Boolean> isValid = session.mayCheckWith(token);
    if (!isValid.isDone()) {
      session.beginSignIn();
      return PendingReply.of(
          isValid,
          (good, later) -> {
            if (good) {
              session.signIn(token);
              reply.accept(later);
            } else {
              refuse(session, later, refusal);
            }
          },
          (why, later) -> refuse(session, later, refusal));
    }
    if (!isValid.join()) {
      throw CommandException.withCode(refusal);
    }
    session.signIn(token);
    reply.accept(out);
    return null;
  }

  private static void refuse(RespSession session, ReplyWriter out, String refusal) {
    session.endSignIn();
    out.error(refusal);
  }

  private static String token(CommandArguments args, int at) {
    try {
      return args.text(at);
    } catch (CommandException noText) {
      return "";
    }
  }

  /** Executes {@code HELLO [version [AUTH user token] [SETNAME name]]}, all or nothing. */
  static @Nullable PendingReply hello(CommandArguments args, RespSession session, ReplyWriter out)
      throws CommandException {
    int version = session.protocol();
    if (args.count() > 1) {
      version = version(args);
    }
    int tokenAt = 0;
    int nameAt = 0;
    for (int at = 2; at < args.count(); ) {
      if (tokenAt == 0 && args.is(at, AUTH) && at + 2 < args.count()) {
        tokenAt = at + 2;
        at += 3;
      } else if (nameAt == 0 && args.is(at, SETNAME) && at + 1 < args.count()) {
        nameAt = at + 1;
        at += 2;
      } else {
        throw CommandException.syntax();
      }
    }
    String name = nameAt == 0 ? session.name() : ClientCommand.name(args, nameAt);
    int agreed = version;
    if (tokenAt > 0) {
      return signIn(
          token(args, tokenAt), session, out, later -> greet(name, agreed, session, later));
    }
    if (!session.mayCheck()) {
      throw CommandException.withCode(
          "NOAUTH Authentication required. Send HELLO 3 AUTH default TOKEN");
    }
    greet(name, agreed, session, out);
    return null;
  }

  private static int version(CommandArguments args) throws CommandException {
    try {
      return (int) args.number(1, 2, 3);
    } catch (CommandException another) {
      throw CommandException.withCode("NOPROTO unsupported protocol version");
    }
  }

  private static void greet(String name, int version, RespSession session, ReplyWriter out) {
    session.name(name);
    session.protocol(version);
    out.protocol(version);
    out.map(MEMBERS);
    out.bulk("server");
    out.bulk("weir");
    out.bulk("version");
    out.bulk(REDIS_VERSION);
    out.bulk("proto");
    out.number(session.protocol());
    out.bulk("id");
    out.number(session.id());
    out.bulk("mode");
    out.bulk("standalone");
    out.bulk("role");
    out.bulk("master");
    out.bulk("modules");
    out.list(0);
  }
}
