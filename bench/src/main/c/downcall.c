/* What a call through a function pointer costs in C: the measure for a downcall from Java. */
long add_one(long value) {
    return value + 1;
}

long (*volatile add_one_pointer)(long) = add_one;

/* Calls n times, each on the result of the one before. */
long add_repeatedly(long value, long n) {
    for (long i = 0; i < n; i++) {
        value = add_one_pointer(value);
    }
    return value;
}
