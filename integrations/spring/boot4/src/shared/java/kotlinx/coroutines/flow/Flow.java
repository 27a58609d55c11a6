package kotlinx.coroutines.flow;

/** Stands for Kotlin's type of the same name. */
public interface Flow<T> {}
