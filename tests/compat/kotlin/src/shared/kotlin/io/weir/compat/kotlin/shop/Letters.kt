package io.weir.compat.kotlin.shop

import io.weir.annotation.By
import io.weir.annotation.Count
import io.weir.annotation.RateLimit
import java.time.temporal.ChronoUnit
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.withContext
import org.springframework.stereotype.Service

/** Functions of a bean with limits of their own. */
@Service
class Letters {
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  suspend fun write(text: String): String = withContext(Dispatchers.Default) {
    delay(1)
    text
  }

  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  fun print(text: String): String = text

  @RateLimit(
      limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.KEY], key = ["param:phone"])
  suspend fun fax(text: String, phone: String = "1"): String {
    delay(1)
    return "$text to $phone"
  }

  @RateLimit(
      limit = 1, window = 1, unit = ChronoUnit.HOURS, by = [By.USER], count = Count.FAILURES)
  suspend fun deliver(gate: String): String {
    Gates.pass(gate)
    return if (gate.startsWith("lost")) throw LostException(gate) else gate
  }

  @RateLimit(
      limit = 1, window = 1, unit = ChronoUnit.HOURS, by = [By.USER], count = Count.SUCCESSES)
  suspend fun reply(): String {
    awaitCancellation()
  }

  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  fun pages(): Flow<String> = flow {
    delay(1)
    emit("page")
  }

  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  suspend fun sheets(): Flow<String> {
    delay(1)
    return pages()
  }

  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  suspend fun burn() {
    delay(1)
  }
}

/** A limit on a suspend function of a generic interface. */
interface Courier<T> {
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  suspend fun carry(what: T): String
}

@JvmInline value class Parcel(val label: String)

@Service
class TextCourier : Courier<String> {
  override suspend fun carry(what: String): String {
    delay(1)
    return what
  }

  /** Gets another name from Kotlin, since a value class has none of its own in the JVM. */
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  suspend fun ship(parcel: Parcel): Parcel {
    delay(1)
    return parcel
  }

  /** Runs from its call on, not from when it is awaited. */
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  fun start(): Deferred<String> = CompletableDeferred("started")
}

class LostException(message: String) : Exception(message)
