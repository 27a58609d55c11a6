package io.weir.compat.kotlin.talk

import io.grpc.MethodDescriptor
import io.grpc.MethodDescriptor.MethodType
import io.grpc.ServerServiceDefinition
import io.grpc.kotlin.AbstractCoroutineServerImpl
import io.grpc.kotlin.ServerCalls
import io.weir.annotation.By
import io.weir.annotation.Count
import io.weir.annotation.RateLimit
import java.io.InputStream
import java.time.temporal.ChronoUnit
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

private object Text : MethodDescriptor.Marshaller<String> {
  override fun stream(value: String): InputStream = value.byteInputStream()

  override fun parse(stream: InputStream): String = stream.bufferedReader().readText()
}

object Talks {
  @JvmField val SAY = method("Say", MethodType.UNARY)
  @JvmField val COUNT = method("Count", MethodType.SERVER_STREAMING)

  private fun method(name: String, type: MethodType): MethodDescriptor<String, String> =
      MethodDescriptor.newBuilder(Text, Text)
          .setType(type)
          .setFullMethodName("weir.Talk/$name")
          .build()
}

/** What the generator of grpc-kotlin makes of a service. */
abstract class TalkCoroutineImplBase : AbstractCoroutineServerImpl() {
  abstract suspend fun say(request: String): String

  abstract fun count(request: String): Flow<String>

  final override fun bindService(): ServerServiceDefinition =
      ServerServiceDefinition.builder("weir.Talk")
          .addMethod(ServerCalls.unaryServerMethodDefinition(context, Talks.SAY, ::say))
          .addMethod(
              ServerCalls.serverStreamingServerMethodDefinition(context, Talks.COUNT, ::count))
          .build()
}

class Talk : TalkCoroutineImplBase() {
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.ENDPOINT])
  override suspend fun say(request: String): String {
    delay(1)
    return request
  }

  @RateLimit(
      limit = 1,
      window = 1,
      unit = ChronoUnit.HOURS,
      by = [By.ENDPOINT],
      count = Count.FAILURES)
  override fun count(request: String): Flow<String> = flow {
    emit("1")
    delay(1)
    if (request == "lost") throw IllegalStateException(request)
    emit("2")
  }
}
