package kotlin.coroutines;

/** Stands for Kotlin's type of the same name, the last parameter of a suspend function. */
public interface Continuation<T> {}
